# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F
from consolidation import EWC
from rehearsal import Reservoir
from sites import SiteStream, TagNet


def accuracy(net, stream, site):
    with torch.no_grad():
        x, y = stream.batch(site, 200)
        return (net(x).argmax(1) == y).float().mean().item()


def main(sites=4, steps=120):
    torch.manual_seed(100)
    stream = SiteStream(sites, seed=100)
    net = TagNet()
    ewc, memory = EWC(net, strength=20.0), Reservoir(150, seed=100)
    matrix, penalties = [], []
    for site in range(sites):
        opt = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.8)
        for step in range(steps):
            x, y = stream.batch(site, 32)
            logits = net(x)
            loss = F.cross_entropy(logits, y)
            penalty = ewc.penalty()
            loss = loss + penalty
            if len(memory) >= 16 and site > 0:
                mx, my, old_logits = memory.sample(16)
                out = net(mx)
                loss = loss + 0.5 * F.cross_entropy(out, my) + 0.2 * F.mse_loss(out, old_logits)
            opt.zero_grad()
            loss.backward()
            opt.step()
            penalties.append(float(penalty.detach()) if torch.is_tensor(penalty) else penalty)
            if step % 4 == 0:
                memory.offer(x, y, logits)
        ewc.consolidate(lambda: stream.batch(site, 16), batches=10)
        matrix.append([accuracy(net, stream, s) for s in range(site + 1)])
        print(f"site {site}: penalty {sum(penalties[-30:]) / 30:.3f}", [round(a, 2) for a in matrix[-1]])


if __name__ == "__main__":
    main()
