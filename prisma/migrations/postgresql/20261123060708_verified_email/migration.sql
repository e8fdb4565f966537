-- AlterTable
ALTER TABLE "User" ADD COLUMN     "verifiedEmail" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "User_verifiedEmail_idx" ON "User"("verifiedEmail");

-- Data
UPDATE "User" SET "verifiedEmail" = lower(btrim("claims"::json->>'email'))
WHERE "claims" NOT LIKE '%\\u0000%'
  AND json_typeof("claims"::json->'email') = 'string' AND "claims"::json->>'email_verified' = 'true'
  AND json_typeof("claims"::json->'email_verified') = 'boolean' AND length("claims"::json->>'email') <= 255;
