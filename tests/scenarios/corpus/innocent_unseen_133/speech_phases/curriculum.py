from dataclasses import dataclass


@dataclass(frozen=True)
class Phase:
    name: str
    steps: int
    lr: float
    open: tuple
    soft: bool = False

    def apply(self, net):
        net.requires_grad_(False)
        for part in self.open:
            net.get_submodule(part).requires_grad_(True)


CURRICULUM = (
    Phase("ears", 150, 4e-3, ("ears", "words")),
    Phase("words", 150, 2e-3, ("words",)),
    Phase("adapters", 150, 2e-3, ("adapter",)),
    Phase("selfteach", 200, 1e-3, ("adapter", "words"), soft=True),
)
