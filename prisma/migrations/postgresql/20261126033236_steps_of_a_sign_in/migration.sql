-- A sign-in that is interrupted during the upgrade begins again: its state has another form from now on
DELETE FROM "PartialSignIn";

-- AlterTable
ALTER TABLE "PartialSignIn" DROP COLUMN "amr",
DROP COLUMN "authenticatedAt",
DROP COLUMN "provenHash",
ALTER COLUMN "subject" DROP NOT NULL,
ALTER COLUMN "sealedDetails" SET NOT NULL;
