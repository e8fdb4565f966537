-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "scope" TEXT COLLATE "C" NOT NULL DEFAULT 'openid profile email';
