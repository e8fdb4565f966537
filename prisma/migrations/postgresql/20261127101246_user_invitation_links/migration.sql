-- AlterTable
ALTER TABLE "UserInvitation" ADD COLUMN     "isMailed" BOOLEAN NOT NULL,
ADD COLUMN     "locale" TEXT COLLATE "C" NOT NULL;
