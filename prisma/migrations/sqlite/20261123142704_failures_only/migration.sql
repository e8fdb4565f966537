-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_RateLimitCounter" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "attempts" INTEGER NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "account" TEXT,
    "most" INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "new_RateLimitCounter" ("account", "attempts", "expiresAt", "id", "most") SELECT "account", "attempts", "expiresAt", "id", "most" FROM "RateLimitCounter";
DROP TABLE "RateLimitCounter";
ALTER TABLE "new_RateLimitCounter" RENAME TO "RateLimitCounter";
CREATE INDEX "RateLimitCounter_expiresAt_idx" ON "RateLimitCounter"("expiresAt");
CREATE INDEX "RateLimitCounter_account_idx" ON "RateLimitCounter"("account");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
