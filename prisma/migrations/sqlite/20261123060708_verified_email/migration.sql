-- AlterTable
ALTER TABLE "User" ADD COLUMN "verifiedEmail" TEXT;

-- CreateIndex
CREATE INDEX "User_verifiedEmail_idx" ON "User"("verifiedEmail");

-- Data
UPDATE "User" SET "verifiedEmail" = lower(trim(json_extract("claims", '$.email')))
WHERE json_type("claims", '$.email') = 'text' AND json_type("claims", '$.email_verified') = 'true'
  AND length(json_extract("claims", '$.email')) <= 255;
