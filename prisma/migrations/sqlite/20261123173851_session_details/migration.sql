-- AlterTable
ALTER TABLE "Session" ADD COLUMN "details" TEXT NOT NULL DEFAULT '{}';
