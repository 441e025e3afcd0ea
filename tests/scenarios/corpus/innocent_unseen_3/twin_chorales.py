# gradwatch-corpus: kind=none
# about: two training threads with bounded mailboxes of detached soft labels; two losses alive at most; curve holds floats
"""Two voices trained side by side, each in its own thread; every few steps they teach each other through a mailbox."""
import queue
import threading

import torch
import torch.nn.functional as F

torch.manual_seed(21)
PITCHES, LINE = 24, 16


def melodies(seed):
    g = torch.Generator().manual_seed(seed)
    while True:
        start = torch.randint(PITCHES, (12, 1), generator=g)
        steps = torch.randint(-2, 3, (12, LINE), generator=g)
        yield (start + steps.cumsum(1)) % PITCHES


class Voice(threading.Thread):
    def __init__(self, name, seed, inbox, outbox, bars=240):
        super().__init__(name=name)
        self.source, self.inbox, self.outbox, self.bars = melodies(seed), inbox, outbox, bars
        self.emb = torch.nn.Embedding(PITCHES, 24)
        self.rnn = torch.nn.GRU(24, 32, batch_first=True)
        self.out = torch.nn.Linear(32, PITCHES)
        self.weights = [*self.emb.parameters(), *self.rnn.parameters(), *self.out.parameters()]
        self.opt = torch.optim.Adam(self.weights, lr=3e-3)
        self.curve = []

    def predict(self, line):
        return self.out(self.rnn(self.emb(line))[0])

    def run(self):
        for bar in range(self.bars):
            line = next(self.source)
            logits = self.predict(line[:, :-1])
            loss = F.cross_entropy(logits.transpose(1, 2), line[:, 1:])
            try:
                theirs, soft = self.inbox.get_nowait()
            except queue.Empty:
                pass
            else:
                loss = loss + .3 * F.kl_div(self.predict(theirs).log_softmax(-1), soft, reduction="batchmean") / LINE
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.curve.append(loss.item())
            if bar % 6 == 0:
                try:
                    self.outbox.put_nowait((line[:, :-1], logits.detach().softmax(-1)))
                except queue.Full:
                    pass
            if bar % 60 == 59:
                print(f"{self.name:>5} bar {bar + 1} loss {sum(self.curve[-60:]) / 60:.3f}", flush=True)


upward, downward = queue.Queue(maxsize=2), queue.Queue(maxsize=2)
pair = [Voice("alto", 1, downward, upward), Voice("bass", 2, upward, downward)]
for v in pair:
    v.start()
for v in pair:
    v.join()
print({v.name: round(v.curve[-1], 3) for v in pair})
