"""Agents that need torch.  Nothing here is imported until such an agent is asked for."""
