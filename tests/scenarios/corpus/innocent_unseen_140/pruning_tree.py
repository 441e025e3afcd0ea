# gradwatch-corpus: kind=none
# Branch lengths and a substitution model by Felsenstein's pruning, memoised over the nodes of the tree.
from functools import cache, reduce
from operator import mul
import torch

torch.set_num_threads(1)
torch.manual_seed(90)
torch.set_default_dtype(torch.float64)

CHILDREN = {"root": ("ape", "old"), "ape": ("hc", "gorilla"), "hc": ("human", "chimp"), "old": ("macaque", "baboon")}
LEAVES = [n for pair in CHILDREN.values() for n in pair if n not in CHILDREN]
BRANCHES = [n for pair in CHILDREN.values() for n in pair]
SITES = 40

log_len = {n: torch.tensor(-1.5).requires_grad_() for n in BRANCHES}
log_kappa = torch.tensor(0.3).requires_grad_()
alignment = {}


@cache
def generator():
    k = log_kappa.exp()
    one = torch.ones(())
    rows = [[0 * k, one, k, one], [one, 0 * k, one, k], [k, one, 0 * k, one], [one, k, one, 0 * k]]
    off = torch.stack([torch.stack(r) for r in rows])
    Q = off - torch.diag(off.sum(1))
    return Q / -Q.diagonal().mean()


@cache
def mutate(node):
    return torch.linalg.matrix_exp(generator() * log_len[node].exp())


@cache
def partial_likelihood(node):
    if node in alignment:
        return alignment[node]
    return reduce(mul, (partial_likelihood(c) @ mutate(c).T for c in CHILDREN[node]))


MEMOS = (generator, mutate, partial_likelihood)


def forget():
    for memo in MEMOS:
        memo.cache_clear()


def evolve(n):
    """Draw a block of sites down the tree with all branches at 0.2."""
    sub = torch.full((4, 4), 0.05) + 0.80 * torch.eye(4)
    states = {"root": torch.randint(4, (n,))}
    for parent, kids in CHILDREN.items():
        for c in kids:
            states[c] = torch.multinomial(sub[states[parent]], 1).squeeze(1)
    return {n: torch.nn.functional.one_hot(states[n], 4).double() for n in LEAVES}


opt = torch.optim.Adam([*log_len.values(), log_kappa], lr=0.01)
for block in range(700):
    forget()
    alignment.update(evolve(SITES))
    site = partial_likelihood("root").mean(1)
    prior = sum(log_len[n].exp() for n in BRANCHES) * 0.5 / SITES
    asymmetry = (partial_likelihood("ape").sum(1) - partial_likelihood("old").sum(1)).pow(2).mean()
    loss = -site.log().mean() + prior + 1e-3 * asymmetry
    opt.zero_grad()
    loss.backward()
    opt.step()
    if block % 140 == 139:
        print(block + 1, f"{loss.item():.4f} kappa {log_kappa.exp().item():.3f}",
              {n: round(log_len[n].exp().item(), 3) for n in ("human", "baboon", "hc")}, mutate.cache_info().currsize)
