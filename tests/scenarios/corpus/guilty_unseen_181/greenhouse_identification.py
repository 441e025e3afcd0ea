# gradwatch-corpus: kind=graph-chain
# holder: T_hat | H_hat
# first-bad: 1
# Fit heat-loss, heater gain and humidity exchange of a greenhouse from a sensor log,
# going through the log in small chunks.
import torch

torch.manual_seed(21)

DT = 0.1
CHUNK = 2
EPOCH_LEN = 900


def outside(k):
    t = torch.tensor(k * DT)
    return 8.0 + 5.0 * torch.sin(0.05 * t), 0.5 + 0.2 * torch.cos(0.03 * t)


def simulate(n):
    T, H = torch.tensor(15.0), torch.tensor(0.6)
    temps, hums, heat = [], [], []
    on = 1.0
    for k in range(n):
        To, Ho = outside(k)
        if T > 21:
            on = 0.0
        elif T < 18:
            on = 1.0
        heat.append(on)
        T = T + DT * (0.25 * (To - T) + 4.0 * on)
        H = H + DT * (0.4 * (Ho - H))
        temps.append(T + 0.05 * torch.randn(()))
        hums.append(H + 0.01 * torch.randn(()))
    return torch.stack(temps), torch.stack(hums), torch.tensor(heat)


temps, hums, heat = simulate(EPOCH_LEN)
print("log:", temps.shape, "mean temp %.2f" % temps.mean())

log_k = torch.tensor(-2.5, requires_grad=True)
log_gain = torch.tensor(0.5, requires_grad=True)
log_vent = torch.tensor(-2.0, requires_grad=True)
opt = torch.optim.Adam([log_k, log_gain, log_vent], lr=0.01)

T_hat = temps[0].clone()
H_hat = hums[0].clone()

chunk_no = 0
for start in range(0, EPOCH_LEN - CHUNK, CHUNK):
    k_loss = torch.exp(log_k)
    gain = torch.exp(log_gain)
    vent = torch.exp(log_vent)

    T_hat.detach()  # <- culprit
    H_hat.detach()  # <- culprit

    loss = 0.0
    for j in range(start, start + CHUNK):
        To, Ho = outside(j)
        T_hat = T_hat + DT * (k_loss * (To - T_hat) + gain * heat[j])  # <- culprit
        H_hat = H_hat + DT * (vent * (Ho - H_hat))  # <- culprit
        loss = loss + (T_hat - temps[j]) ** 2 + 10.0 * (H_hat - hums[j]) ** 2
    loss = loss / CHUNK

    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()

    if chunk_no % 100 == 0:
        print(
            "chunk %4d loss %.4f  k %.3f gain %.3f vent %.3f"
            % (chunk_no, loss.item(), log_k.exp().item(), log_gain.exp().item(), log_vent.exp().item())
        )
    chunk_no += 1

print("true: k 0.250 gain 4.000 vent 0.400")
