-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_UserInvitation" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "email" TEXT,
    "isMailed" BOOLEAN NOT NULL,
    "claims" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "createdBy" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    "subject" TEXT
);
INSERT INTO "new_UserInvitation" ("claims", "createdAt", "createdBy", "digest", "email", "expiresAt", "id", "subject", "usedAt") SELECT "claims", "createdAt", "createdBy", "digest", "email", "expiresAt", "id", "subject", "usedAt" FROM "UserInvitation";
DROP TABLE "UserInvitation";
ALTER TABLE "new_UserInvitation" RENAME TO "UserInvitation";
CREATE UNIQUE INDEX "UserInvitation_id_key" ON "UserInvitation"("id");
CREATE INDEX "UserInvitation_createdAt_id_idx" ON "UserInvitation"("createdAt", "id");
CREATE INDEX "UserInvitation_expiresAt_idx" ON "UserInvitation"("expiresAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
