-- CreateTable
CREATE TABLE "SessionClient" (
    "sessionId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "lastAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SessionClient_pkey" PRIMARY KEY ("sessionId","clientId")
);

-- CreateIndex
CREATE INDEX "SessionClient_clientId_idx" ON "SessionClient"("clientId");

-- From the grants that are still there
INSERT INTO "SessionClient" ("sessionId", "clientId", "lastAt")
SELECT g."sessionId", g."clientId", max(g."createdAt")
FROM "Grant" g JOIN "Session" s ON s."sessionId" = g."sessionId"
WHERE g."revokedAt" IS NULL
GROUP BY g."sessionId", g."clientId";
