-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN "reauthentication" TEXT NOT NULL DEFAULT 'prompt';
ALTER TABLE "IdentityProvider" ADD COLUMN "signOutAtProvider" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "PartialSignIn" ADD COLUMN "sealedIdToken" TEXT;
