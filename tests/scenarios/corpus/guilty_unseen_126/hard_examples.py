# gradwatch-corpus: kind=graph-held
# holder: worst | miner.worst
# first-bad: 1
# notice: 8
import heapq
import itertools
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(77)

VOCAB, LEN = 60, 10
tickets = torch.randint(1, VOCAB, (400, LEN))
urgent = (tickets < 12).sum(1).gt(1).long()
ticket_id = itertools.count()


class BagClassifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = torch.nn.EmbeddingBag(VOCAB, 12, mode="mean")
        self.fc1 = torch.nn.Linear(12, 16)
        self.fc2 = torch.nn.Linear(16, 2)

    def forward(self, tok):
        return self.fc2(torch.tanh(self.fc1(self.emb(tok))))


class HardMiner:
    def __init__(self):
        self.worst = []

    def offer(self, rows, tokens, per_sample):
        k = per_sample.argmax()
        heapq.heappush(self.worst, (-per_sample[k].item(), next(ticket_id), int(rows[k]), per_sample[k]))  # <- culprit

    def top(self, n=3):
        return [(row, round(-neg, 3)) for neg, _, row, _ in heapq.nsmallest(n, self.worst)]


clf = BagClassifier()
miner = HardMiner()
opt = torch.optim.Adagrad(clf.parameters(), lr=0.05)

for epoch in range(20):
    order = torch.randperm(400)
    hits = 0
    for rows in order.split(25):
        logits = clf(tickets[rows])
        ce = F.cross_entropy(logits, urgent[rows], reduction="none")
        opt.zero_grad()
        ce.mean().backward()
        opt.step()
        miner.offer(rows, tickets[rows], ce)
        hits += (logits.argmax(1) == urgent[rows]).sum().item()
    if epoch % 5 == 0:
        print(f"ep{epoch} acc={hits / 400:.3f} hardest={miner.top()}")
