-- AlterTable
ALTER TABLE "ThrottleCounter" ADD COLUMN     "account" TEXT COLLATE "C",
ADD COLUMN     "most" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "ThrottleCounter_account_idx" ON "ThrottleCounter"("account");
