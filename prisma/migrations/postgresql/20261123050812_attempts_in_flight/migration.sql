-- AlterTable
ALTER TABLE "ThrottleCounter" ADD COLUMN     "inFlight" INTEGER NOT NULL DEFAULT 0;
