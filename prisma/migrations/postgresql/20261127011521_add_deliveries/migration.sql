-- CreateTable
CREATE TABLE "Delivery" (
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "target" TEXT COLLATE "C" NOT NULL,
    "content" TEXT COLLATE "C" NOT NULL,
    "sealedBody" TEXT COLLATE "C",
    "state" TEXT COLLATE "C" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" TIMESTAMP(3),
    "lease" TEXT COLLATE "C",
    "lastStatus" INTEGER,
    "lastAnswer" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "deadlineAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3),

    CONSTRAINT "Delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Delivery_nextAt_idx" ON "Delivery"("nextAt");

-- CreateIndex
CREATE INDEX "Delivery_expiresAt_idx" ON "Delivery"("expiresAt");
