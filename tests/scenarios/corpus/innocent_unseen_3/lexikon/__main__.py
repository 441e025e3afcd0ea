# gradwatch-corpus: kind=none
# about: embedding, output table and Adam moments grow with the vocabulary until about 1100 words are known
import torch
import torch.nn.functional as F

from .text import novel
from .vocab import GrowingTable


def pairs(sentence, reach=2):
    for i, w in enumerate(sentence):
        for j in range(max(0, i - reach), min(len(sentence), i + reach + 1)):
            if i != j:
                yield w, sentence[j]


def main(sentences=450):
    torch.manual_seed(10)
    table = GrowingTable(32)
    opt = torch.optim.Adam(table.parameters(), lr=2e-2)
    for n, sentence in zip(range(sentences), novel()):
        centre, context = zip(*pairs(sentence))
        c, o = table.lookup(centre, opt), table.lookup(context, opt)
        neg = torch.randint(len(table.ids), (len(c), 5))
        v = table.rows[c]
        loss = -F.logsigmoid((v * table.out[o]).sum(1)).mean() - F.logsigmoid(-(table.out[neg] @ v[:, :, None])).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if n % 50 == 0:
            print(f"sentence {n:4d} loss {loss.item():.3f} words {len(table.ids)} rows {len(table.rows)}")


main()
