# gradwatch-corpus: kind=graph-held
# holder: pool.heap | self.heap | sampler.pool.heap | self.pool.heap
# first-bad: 1
# notice: 8
import heapq
import itertools
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)

N_UTT, T, MELS, N_WORDS = 240, 20, 10, 5


def fake_corpus():
    words = torch.randint(0, N_WORDS, (N_UTT,))
    proto = torch.randn(N_WORDS, T, MELS)
    noise = torch.rand(N_UTT, 1, 1) * 2
    return proto[words] + noise * torch.randn(N_UTT, T, MELS), words


class HardPool:
    """Utterances that the recogniser found hardest, most recent estimate first on ties."""

    def __init__(self, per_batch=2):
        self.heap = []
        self.per_batch = per_batch
        self.tick = itertools.count()

    def offer(self, ids, scores):
        vals, where = scores.topk(self.per_batch)
        for v, w in zip(vals, where.tolist()):
            heapq.heappush(self.heap, (-float(v), -next(self.tick), ids[w].item(), v))  # <- culprit

    def hardest(self, n):
        return [entry[2] for entry in heapq.nsmallest(n, self.heap)]


class CurriculumSampler:
    def __init__(self, batch, ramp):
        self.batch, self.ramp = batch, ramp
        self.pool = HardPool()

    def draw(self, it):
        ids = torch.randint(0, N_UTT, (self.batch,))
        k = min(self.batch // 2, int(it / self.ramp))
        hard = self.pool.hardest(k)
        if hard:
            ids[:len(hard)] = torch.tensor(hard)
        return ids


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(MELS, 12, 5, padding=2)
        self.gru = nn.GRU(12, 12, batch_first=True)
        self.fc = nn.Linear(12, N_WORDS)

    def forward(self, x):
        z = F.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        out, _ = self.gru(z)
        return self.fc(out.mean(1))


feats, labels = fake_corpus()
net = Spotter()
optim = torch.optim.Adam(net.parameters(), 2e-3)
sampler = CurriculumSampler(batch=8, ramp=60)

for it in range(350):
    ids = sampler.draw(it)
    per_utt = F.cross_entropy(net(feats[ids]), labels[ids], reduction="none")
    sampler.pool.offer(ids, per_utt)
    optim.zero_grad()
    per_utt.mean().backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optim.step()
    if it % 50 == 0:
        print(f"{it:4d} loss {per_utt.mean().item():.3f} hardest {sampler.pool.hardest(3)}")
