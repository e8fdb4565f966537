-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_ThrottleCounter" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tries" INTEGER NOT NULL,
    "inFlight" INTEGER NOT NULL DEFAULT 0,
    "expiresAt" DATETIME NOT NULL,
    "account" TEXT,
    "most" INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "new_ThrottleCounter" ("expiresAt", "id", "inFlight", "tries") SELECT "expiresAt", "id", "inFlight", "tries" FROM "ThrottleCounter";
DROP TABLE "ThrottleCounter";
ALTER TABLE "new_ThrottleCounter" RENAME TO "ThrottleCounter";
CREATE INDEX "ThrottleCounter_expiresAt_idx" ON "ThrottleCounter"("expiresAt");
CREATE INDEX "ThrottleCounter_account_idx" ON "ThrottleCounter"("account");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
