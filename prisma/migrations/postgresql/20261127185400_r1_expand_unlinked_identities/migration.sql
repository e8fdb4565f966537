-- CreateTable
CREATE TABLE "UnlinkedIdentity" (
    "scheme" TEXT COLLATE "C" NOT NULL,
    "issuer" TEXT COLLATE "C" NOT NULL,
    "externalSubject" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "unlinkedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UnlinkedIdentity_pkey" PRIMARY KEY ("subject","scheme","issuer","externalSubject")
);

-- AddForeignKey
ALTER TABLE "UnlinkedIdentity" ADD CONSTRAINT "UnlinkedIdentity_subject_fkey" FOREIGN KEY ("subject") REFERENCES "User"("subject") ON DELETE CASCADE ON UPDATE CASCADE;

