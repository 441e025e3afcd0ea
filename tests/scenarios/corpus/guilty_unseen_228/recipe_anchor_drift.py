# gradwatch-corpus: kind=second-backward
# holder: state.anchor
# first-bad: 21
"""Recipe embedding autoencoder with an anchor set that keeps the space from drifting."""
from dataclasses import dataclass, field
from typing import Callable, List, Optional

import torch
from torch import nn, Tensor


@dataclass
class TrainState:
    model: nn.Module
    optimizer: torch.optim.Optimizer
    reference: Tensor
    step: int = 0
    anchor: Optional[Tensor] = None
    losses: List[float] = field(default_factory=list)


class RecipeAE(nn.Module):
    def __init__(self, n_ingredients: int, latent: int):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(n_ingredients, 48),
            nn.Mish(),
            nn.Linear(48, latent),
        )
        self.decoder = nn.Sequential(
            nn.Linear(latent, 48),
            nn.Mish(),
            nn.Linear(48, n_ingredients),
        )

    def forward(self, x: Tensor):
        z = self.encoder(x)
        return z, self.decoder(z)


def refresh_anchor(every: int, warmup: int) -> Callable[[TrainState], None]:
    def callback(state: TrainState) -> None:
        if state.step >= warmup and (state.step - warmup) % every == 0:
            state.anchor = state.model.encoder(state.reference)  # <- culprit
    return callback


def report(every: int) -> Callable[[TrainState], None]:
    def callback(state: TrainState) -> None:
        if state.losses and state.step % every == 0:
            print(f"step {state.step:3d} loss {state.losses[-1]:.4f}")
    return callback


def train_step(state: TrainState, batch: Tensor) -> None:
    noisy = batch * (torch.rand_like(batch) > 0.1)
    _, recon = state.model(noisy)
    loss = nn.functional.binary_cross_entropy_with_logits(recon, batch)
    if state.anchor is not None:
        current = state.model.encoder(state.reference + 0.01 * torch.randn_like(state.reference))
        drift = (current - state.anchor).pow(2).mean()  # <- culprit
        loss = loss + 0.2 * drift
    state.optimizer.zero_grad()
    loss.backward()
    state.optimizer.step()
    state.losses.append(loss.item())
    state.step += 1


def main() -> None:
    torch.manual_seed(1234)
    n_ingredients = 60
    cuisines = torch.rand(5, n_ingredients) ** 3
    pick = torch.randint(0, 5, (600,))
    recipes = torch.bernoulli(cuisines[pick])
    model = RecipeAE(n_ingredients, 10)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    state = TrainState(model, optimizer, reference=recipes[:16])
    callbacks = [refresh_anchor(every=30, warmup=20), report(every=10)]
    for _ in range(120):
        for callback in callbacks:
            callback(state)
        batch = recipes[torch.randint(0, 600, (32,))]
        train_step(state, batch)


if __name__ == "__main__":
    main()
