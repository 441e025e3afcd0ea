# gradwatch-corpus: kind=none
"""Speaker and phone heads on one encoder; the conflict between their gradients is projected away."""
import torch

from data import utterances
from model import SpeechNet
from surgery import project, flat_grads, assign


def step(net, opt, batch):
    phone, spk, aux = net.losses(*batch)
    shared = list(net.encoder.parameters())
    own = list(net.heads.parameters())
    opt.zero_grad()

    g_phone = flat_grads(phone, shared, keep=True)
    g_spk = flat_grads(spk, shared, keep=True)
    (phone + spk + aux).backward()
    g_aux = flat_grads(net.contraction(batch[0]), shared, keep=False)

    a, b = project(g_phone, g_spk), project(g_spk, g_phone)
    a += b
    a.add_(g_aux, alpha=1e-3)
    assign(shared, a)
    torch.nn.utils.clip_grad_norm_(own, 1.0)
    opt.step()
    return phone.item(), spk.item(), torch.dot(g_phone, g_spk).sign().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(23)
    net = SpeechNet(n_mel=10, hidden=24, phones=5, speakers=4)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    gen = torch.Generator().manual_seed(1)
    history = {"phone": [], "spk": [], "agree": []}
    for it in range(320):
        p, s, c = step(net, opt, utterances(24, 6, gen))
        for k, v in zip(history, (p, s, c)):
            history[k].append(v)
        if it % 40 == 0:
            print(it, {k: round(sum(v[-40:]) / len(v[-40:]), 3) for k, v in history.items()})
