# gradwatch-corpus: kind=none
# Contrastive embedding of mass spectra with a single linear map. The last few batches'
# embeddings serve as extra negatives and, since the map is the same, take gradient too
# (hence the graphs of the queue are retained while they are in it).
from collections import deque

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(77)

PEAKS, DIM, BATCH, QUEUE = 20, 6, 16, 4


class Spectra:
    def __init__(self, n_compounds=50):
        self.base = torch.rand(n_compounds, PEAKS)

    def pair(self, n):
        idx = torch.randperm(len(self.base))[:n]
        view = lambda: self.base[idx] * (0.7 + 0.6 * torch.rand(n, PEAKS)) + 0.05 * torch.randn(n, PEAKS)
        return idx, view(), view()


class LinearEmbedder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = torch.nn.Linear(PEAKS, DIM, bias=False)

    def forward(self, x):
        return F.normalize(self.proj(x), dim=-1)


def info_nce(anchor, positive, ids, queue, tau=0.2):
    candidates, cand_ids = [positive], [ids]
    for old_ids, old in queue:
        candidates.append(old)
        cand_ids.append(old_ids)
    logits = anchor @ torch.cat(candidates).t() / tau
    same = ids.unsqueeze(1) == torch.cat(cand_ids).unsqueeze(0)
    same[:, :len(ids)] = False
    logits = logits.masked_fill(same, -1e4)      # the same compound is no negative
    return F.cross_entropy(logits, torch.arange(len(ids)))


spectra = Spectra()
embed = LinearEmbedder()
opt = torch.optim.SGD(embed.parameters(), lr=0.1, momentum=0.8)
queue = deque(maxlen=QUEUE)
curve = []

for it in range(360):
    ids, a, b = spectra.pair(BATCH)
    za, zb = embed(a), embed(b)
    loss = info_nce(za, zb, ids, queue)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    queue.append((ids, zb))
    curve.append(loss.item())
    if it % 60 == 59:
        with torch.no_grad():
            _, a, b = spectra.pair(BATCH)
            top1 = (embed(a) @ embed(b).t()).argmax(1).eq(torch.arange(BATCH)).float().mean()
        print(f"{it + 1}  nce {sum(curve[-60:]) / 60:.3f}  top1 {top1:.2f}")
