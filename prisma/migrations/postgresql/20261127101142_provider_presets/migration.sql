-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "preset" TEXT COLLATE "C" NOT NULL DEFAULT 'openid_connect',
ADD COLUMN     "presetValues" TEXT COLLATE "C" NOT NULL DEFAULT '{}';
