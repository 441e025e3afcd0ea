# gradwatch-corpus: kind=none
"""Alignement de deux espaces d'embeddings par transport optimal entropique (chapitre 3 de la thèse).
Les potentiels duaux de chaque paire de domaines servent de point de départ à la visite suivante."""
import torch

torch.manual_seed(1789)

N, D, EPS = 40, 10, 0.5
DOMAINES = ["droit", "presse", "romans", "forum", "recettes", "brevets"]
ITER = 360


def nuage(domaine, gen):
    """Un tirage d'un domaine: source, et la même chose tournée puis bruitée."""
    centre = 0.3 * domaine * torch.ones(D)
    x = centre + torch.randn(N, D, generator=gen)
    y = (x @ ROTATION + 0.05 * torch.randn(N, D, generator=gen))[torch.randperm(N, generator=gen)]
    return x, y


g = torch.Generator().manual_seed(14)
ROTATION, _ = torch.linalg.qr(torch.randn(D, D, generator=g))


class Carte(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(D, D, bias=False)
        torch.nn.init.eye_(self.lin.weight)
        self.res = torch.nn.Sequential(torch.nn.Linear(D, 24), torch.nn.Tanh(), torch.nn.Linear(24, D))

    def forward(self, x):
        return self.lin(x) + 0.1 * self.res(x)


def sinkhorn(C, depart, tours=15):
    """Potentiels (f, g) dans le domaine log; on n'a pas besoin du gradient ici (théorème de l'enveloppe)."""
    n, m = C.shape
    loga = torch.full((n,), -float(torch.tensor(n).log()))
    logb = torch.full((m,), -float(torch.tensor(m).log()))
    f, g = depart
    for _ in range(tours):
        f = EPS * (loga - torch.logsumexp((g[None, :] - C) / EPS, dim=1))
        g = EPS * (logb - torch.logsumexp((f[:, None] - C) / EPS, dim=0))
    plan = torch.exp((f[:, None] + g[None, :] - C) / EPS)
    return plan, (f, g)


potentiels = {d: (torch.zeros(N), torch.zeros(N)) for d in DOMAINES}
moyenne = {}


def perte(carte, nom, x, y):
    C = torch.cdist(carte(x), y).square() / D
    with torch.no_grad():
        plan, potentiels[nom] = sinkhorn(C, potentiels[nom])
    transport = (plan * C).sum()
    W = carte.lin.weight
    ortho = (W @ W.T - torch.eye(D)).square().sum()
    return transport + 0.01 * ortho, transport


def suivre(nom, valeur):
    ancienne = moyenne.get(nom, valeur)
    moyenne[nom] = 0.9 * ancienne + 0.1 * valeur


carte = Carte()
opt = torch.optim.Adam(carte.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, ITER)

for k in range(ITER):
    idx = k % len(DOMAINES)
    nom = DOMAINES[idx]
    total, ot = perte(carte, nom, *nuage(idx, g))
    opt.zero_grad()
    total.backward()
    opt.step()
    sched.step()
    suivre(nom, ot.detach())
    if k % 90 == 89:
        print(f"{k + 1:4d} |", "  ".join(f"{n}: {v:.3f}" for n, v in moyenne.items()))

with torch.no_grad():
    finals = [perte(carte, nom, *nuage(i, g))[1].item() for i, nom in enumerate(DOMAINES)]
    print("coût de transport final: %.3f" % (sum(finals) / len(finals)))
