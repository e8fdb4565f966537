-- AlterTable
ALTER TABLE "ExternalLogin" ADD COLUMN     "label" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "trustsEmail" BOOLEAN NOT NULL DEFAULT false;
