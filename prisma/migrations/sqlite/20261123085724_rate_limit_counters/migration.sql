-- Renames only: counted failures are kept
ALTER TABLE "ThrottleCounter" RENAME TO "RateLimitCounter";
ALTER TABLE "RateLimitCounter" RENAME COLUMN "tries" TO "attempts";
DROP INDEX "ThrottleCounter_expiresAt_idx";
CREATE INDEX "RateLimitCounter_expiresAt_idx" ON "RateLimitCounter"("expiresAt");
DROP INDEX "ThrottleCounter_account_idx";
CREATE INDEX "RateLimitCounter_account_idx" ON "RateLimitCounter"("account");
