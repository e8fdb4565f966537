-- CreateTable
CREATE TABLE "Delivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "sealedBody" TEXT,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" DATETIME,
    "lease" TEXT,
    "lastStatus" INTEGER,
    "lastAnswer" TEXT,
    "createdAt" DATETIME NOT NULL,
    "deadlineAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    "expiresAt" DATETIME
);

-- CreateIndex
CREATE INDEX "Delivery_nextAt_idx" ON "Delivery"("nextAt");

-- CreateIndex
CREATE INDEX "Delivery_expiresAt_idx" ON "Delivery"("expiresAt");
