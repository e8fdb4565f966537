-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "details" TEXT COLLATE "C" NOT NULL DEFAULT '{}';
