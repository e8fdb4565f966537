-- AlterTable
ALTER TABLE "RevokedToken" ADD COLUMN "revokedAt" DATETIME;

-- Data: until now computed from the end, which is 30 days and 60 s later
UPDATE "RevokedToken" SET "revokedAt" = strftime('%Y-%m-%dT%H:%M:%f+00:00', "expiresAt", '-2592060 seconds')
WHERE "jti" = 'own tokens' OR "jti" LIKE 'own tokens of %';
