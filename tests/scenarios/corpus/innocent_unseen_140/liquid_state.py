# gradwatch-corpus: kind=none
# Online truncated back-propagation (window of WINDOW steps, one update per step) through a liquid reservoir.
import torch

torch.set_num_threads(1)
torch.manual_seed(27)

N, WINDOW = 20, 4
recurrent = torch.randn(N, N)
recurrent *= 0.8 / torch.linalg.eigvals(recurrent).abs().max()
w_in = (0.4 * torch.randn(3, N)).requires_grad_()
readout = torch.zeros(N, 1).requires_grad_()
opt = torch.optim.SGD([{"params": [w_in], "lr": 1e-3}, {"params": [readout], "lr": 2e-2}])


def liquid(x, h):
    return 0.5 * h + 0.5 * torch.tanh(x @ w_in + h @ recurrent)


def narma():
    y, hist = [0.0] * 3, [0.0] * 3
    while True:
        u = 0.5 * torch.rand(()).item()
        hist = hist[1:] + [u]
        nxt = 0.4 * y[-1] + 0.4 * y[-1] * y[-2] + 0.6 * hist[0] * hist[-1] + 0.1
        y = y[1:] + [nxt]
        yield torch.tensor([[u, hist[0], 1.0]]), nxt


pairs = [(None, torch.zeros(1, N))]


def enter(h):
    """A fresh leaf for the state coming in."""
    return h.detach().requires_grad_()


def push_back(loss):
    """From the newest pair to the oldest one, state gradient by state gradient."""
    loss.backward(retain_graph=True)
    for later, earlier in zip(reversed(pairs), list(reversed(pairs))[1:]):
        if earlier[0] is None:
            break
        carried = later[0].grad
        later[0].grad = None
        earlier[1].backward(carried, retain_graph=True)


average = 0.0
for t, (x, target) in enumerate(narma()):
    h_in = enter(pairs[-1][1])
    h_out = liquid(x, h_in)
    pairs.append((h_in, h_out))
    while len(pairs) > WINDOW:
        del pairs[0]
    loss = (h_out @ readout - target).pow(2).sum()
    opt.zero_grad()
    push_back(loss)
    opt.step()
    pairs[0][0] is not None and setattr(pairs[0][0], "grad", None)
    average = 0.99 * average + 0.01 * loss.item()
    if t % 200 == 199:
        print(t + 1, f"nmse-like {average:.5f}")
    if t == 1199:
        break
