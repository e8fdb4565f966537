-- Renames only: counted failures are kept
ALTER TABLE "ThrottleCounter" RENAME TO "RateLimitCounter";
ALTER TABLE "RateLimitCounter" RENAME COLUMN "tries" TO "attempts";
ALTER INDEX "ThrottleCounter_pkey" RENAME TO "RateLimitCounter_pkey";
ALTER INDEX "ThrottleCounter_expiresAt_idx" RENAME TO "RateLimitCounter_expiresAt_idx";
ALTER INDEX "ThrottleCounter_account_idx" RENAME TO "RateLimitCounter_account_idx";
