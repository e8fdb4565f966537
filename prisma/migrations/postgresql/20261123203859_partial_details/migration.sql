-- AlterTable
ALTER TABLE "PartialSignIn" DROP COLUMN "sealedIdToken",
ADD COLUMN     "sealedDetails" TEXT COLLATE "C";
