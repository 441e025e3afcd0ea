# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | net.hidden
# first-bad: 1
import torch
import torch.nn.functional as F

from optim import PlainSGD
from stream import KeystrokeStream
from typist import TypistNet

CFG = {
    "hidden": 24,
    "users": 6,
    "lr": 0.02,
    "steps": 160,
    "log_every": 40,
}


def fit(net, stream, optimizer, steps, log_every):
    running = 0.0
    for step in range(1, steps + 1):
        timing, who = stream.read()
        optimizer.zero_grad()
        logits = net(timing)
        loss = F.cross_entropy(logits, who)
        loss.backward(retain_graph=True)
        optimizer.step()
        running += loss.item()
        if step % log_every == 0:
            print("step %d | loss %.4f" % (step, running / log_every))
            running = 0.0


if __name__ == "__main__":
    torch.manual_seed(11)
    stream = KeystrokeStream(batch=16, users=CFG["users"])
    net = TypistNet(stream.width, CFG["hidden"], CFG["users"], stream.batch)
    fit(net, stream, PlainSGD(net.parameters(), CFG["lr"]), CFG["steps"], CFG["log_every"])
