from dataclasses import dataclass


@dataclass
class GPTConfig:
    vocab_size: int = 17
    block_size: int = 12
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 16
    batch_size: int = 6
    learning_rate: float = 3e-3
