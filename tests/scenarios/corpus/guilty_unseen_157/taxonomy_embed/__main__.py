# gradwatch-corpus: kind=graph-held
# holder: anchor_set | tree.anchor_set | sampling.anchor_set | self.anchor_set
# first-bad: 1
"""Hyperbolic (Poincare ball) embedding of a product taxonomy."""
import torch

from .geometry import PoincareEmbedding
from .tree import Taxonomy

torch.set_num_threads(1)


def margin_loss(space, tree, children, step):
    parents = tree.parents_of(children)
    child = space(children)
    close = space.distance(child, space(parents))
    anchors = tree.anchor_set(space, step, 12)
    far = space.distance(child[:, None], anchors[None])
    ranking = torch.relu(0.5 + close[:, None] - far).mean()
    return ranking + 0.02 * space.radius_penalty(child)


def run(steps=120):
    torch.manual_seed(19)
    tree = Taxonomy(branching=4, depth=4)
    space = PoincareEmbedding(len(tree), dim=6)
    opt = torch.optim.Adam(space.parameters(), lr=0.01)
    history = []
    for step in range(steps):
        children = tree.sample_children(32)
        loss = margin_loss(space, tree, children, step)
        opt.zero_grad()
        loss.backward()
        opt.step()
        space.project_()
        history.append(loss.item())
        if (step + 1) % 30 == 0:
            spread = tree.anchor_set(space, step, 12).detach().norm(dim=1)
            print(f"step {step + 1:3d} loss {history[-1]:.4f} anchors' radius {spread.mean():.4f}")


if __name__ == "__main__":
    run()
