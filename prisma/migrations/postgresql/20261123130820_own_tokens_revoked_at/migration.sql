-- AlterTable
ALTER TABLE "RevokedToken" ADD COLUMN     "revokedAt" TIMESTAMP(3);

-- Data: until now computed from the end, which is 30 days and 60 s later
UPDATE "RevokedToken" SET "revokedAt" = "expiresAt" - INTERVAL '2592060 seconds'
WHERE "jti" = 'own tokens' OR "jti" LIKE 'own tokens of %';
