-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "hidden" BOOLEAN NOT NULL DEFAULT false;
