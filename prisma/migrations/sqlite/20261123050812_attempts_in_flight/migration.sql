-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_ThrottleCounter" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tries" INTEGER NOT NULL,
    "inFlight" INTEGER NOT NULL DEFAULT 0,
    "expiresAt" DATETIME NOT NULL
);
INSERT INTO "new_ThrottleCounter" ("expiresAt", "id", "tries") SELECT "expiresAt", "id", "tries" FROM "ThrottleCounter";
DROP TABLE "ThrottleCounter";
ALTER TABLE "new_ThrottleCounter" RENAME TO "ThrottleCounter";
CREATE INDEX "ThrottleCounter_expiresAt_idx" ON "ThrottleCounter"("expiresAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
