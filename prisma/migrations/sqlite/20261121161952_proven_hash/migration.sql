-- AlterTable
ALTER TABLE "PartialSignIn" ADD COLUMN "provenHash" TEXT;
