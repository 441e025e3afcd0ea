import torch
import torch.nn.functional as F


def replay(net, log, chunk):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for n, (src, dst, fake, feat) in enumerate(log.chunks(chunk)):
        good, bad = net(src, dst), net(src, fake)
        loss = F.softplus(-good).mean() + F.softplus(bad).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        net.memory.write(torch.cat([src, dst]), torch.cat([feat, feat]))
        if n % 50 == 49:
            print(f"chunk {n + 1}: {loss.item():.4f}")
