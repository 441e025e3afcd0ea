# gradwatch-corpus: kind=graph-chain
# holder: memory["h"] | scribe.memory["h"] | self.memory["h"] | self.memory | scribe.memory
# first-bad: 1
import torch

from scribe import Scribe
from verse import Alphabet, POEM, strips

torch.manual_seed(21)

cfg = dict(width=40, lr=0.15, strip=14, rounds=70, clip=0.5)

abc = Alphabet(POEM)
scribe = Scribe(len(abc), cfg["width"])
feed = strips(abc.encode(POEM), cfg["strip"])

loss_fn = torch.nn.CrossEntropyLoss()
curve = []

for n in range(cfg["rounds"]):
    x, y = next(feed)
    logits = scribe.read(x)
    loss = loss_fn(logits, y)

    scribe.zero_grad()
    loss.backward(retain_graph=True)
    scribe.learn(cfg["lr"], cfg["clip"])

    curve.append(loss.item())
    if n % 14 == 0:
        print("round", n, "loss", round(curve[-1], 3))

print("sample:", abc.decode(scribe.babble(abc.encode("t")[0], 40)))
print("start %.3f end %.3f" % (curve[0], curve[-1]))
