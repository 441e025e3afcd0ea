# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# Identify feed / kill rates of a Gray-Scott system from one observed frame.
import torch
import torch.nn.functional as F

torch.manual_seed(0)

SIZE, NT, DT = 32, 20, 1.0
LAPLACE = torch.tensor([[0.05, 0.2, 0.05], [0.2, -1.0, 0.2], [0.05, 0.2, 0.05]])[None, None]


def lap(z):
    return F.conv2d(F.pad(z[None, None], (1, 1, 1, 1), mode='circular'), LAPLACE)[0, 0]


def seed_fields():
    u = torch.ones(SIZE, SIZE)
    v = torch.zeros(SIZE, SIZE)
    c = SIZE // 2
    u[c - 4:c + 4, c - 4:c + 4] = 0.5
    v[c - 4:c + 4, c - 4:c + 4] = 0.25
    u += 0.02 * torch.rand(SIZE, SIZE)
    v += 0.02 * torch.rand(SIZE, SIZE)
    return u, v


def simulate(u, v, feed, kill, steps):
    u, v = u.clone(), v.clone()
    for _ in range(steps):
        uvv = u * v * v
        du = 0.16 * lap(u) - uvv + feed * (1 - u)
        dv = 0.08 * lap(v) + uvv - (feed + kill) * v
        u += DT * du  # <- culprit
        v += DT * dv  # <- culprit
    return u, v


u0, v0 = seed_fields()
with torch.no_grad():
    u_obs, v_obs = simulate(u0, v0, torch.tensor(0.035), torch.tensor(0.060), NT)
    u_obs += 0.005 * torch.randn_like(u_obs)

raw = torch.tensor([-3.0, -3.0], requires_grad=True)
opt = torch.optim.Adam([raw], lr=0.02)
log = open('/dev/null', 'w')

for it in range(80):
    feed, kill = torch.sigmoid(raw)
    u, v = simulate(u0, v0, feed, kill, NT)
    loss = F.mse_loss(u, u_obs) + F.mse_loss(v, v_obs)
    opt.zero_grad()
    loss.backward()
    opt.step()
    log.write('%d %g %g %g\n' % (it, loss.item(), feed.item(), kill.item()))
    if it % 10 == 0:
        print(it, loss.item(), feed.item(), kill.item())
log.close()
