-- DropIndex
DROP INDEX "ReferenceToken_grantId_idx";

-- CreateIndex
CREATE INDEX "ReferenceToken_grantId_idx" ON "ReferenceToken"("grantId") WHERE ("grantId" IS NOT NULL);
