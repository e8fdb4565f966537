-- CreateTable
CREATE TABLE "SessionClient" (
    "sessionId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "lastAt" DATETIME NOT NULL,

    PRIMARY KEY ("sessionId", "clientId")
);

-- CreateIndex
CREATE INDEX "SessionClient_clientId_idx" ON "SessionClient"("clientId");

-- From the grants that are still there
INSERT INTO "SessionClient" ("sessionId", "clientId", "lastAt")
SELECT g."sessionId", g."clientId", max(g."createdAt")
FROM "Grant" g JOIN "Session" s ON s."sessionId" = g."sessionId"
WHERE g."revokedAt" IS NULL
GROUP BY g."sessionId", g."clientId";
