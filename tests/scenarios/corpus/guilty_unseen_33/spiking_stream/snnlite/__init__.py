from .neurons import LIF, reset_states

__all__ = ["LIF", "reset_states"]
