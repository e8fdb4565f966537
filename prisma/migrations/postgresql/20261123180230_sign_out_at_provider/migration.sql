-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "reauthentication" TEXT COLLATE "C" NOT NULL DEFAULT 'prompt',
ADD COLUMN     "signOutAtProvider" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "PartialSignIn" ADD COLUMN     "sealedIdToken" TEXT COLLATE "C";
