-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "secondFactorValues" TEXT COLLATE "C" NOT NULL DEFAULT '[]';
