import torch


def critic_step(D, G, opt, real, clip=0.3):
    fake = G.sample(len(real)).detach()
    # two calls in training mode, two backwards that add up in .grad
    opt.zero_grad()
    up = D(real)
    down = D(fake)
    (-up).backward()
    down.backward()
    opt.step()
    D.clip(clip)
    return (up - down).item()


def generator_step(D, G, opt, n, diversity):
    pts = G.sample(n)
    opt.zero_grad()
    adv = -D(pts)
    adv.backward(retain_graph=True)
    spread = -diversity * torch.pdist(pts).mean().clamp(max=2.5)
    spread.backward()
    opt.step()
    return adv.item()
