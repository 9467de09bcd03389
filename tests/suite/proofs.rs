//! The proof runs of the seeds, each claim checked. A failing claim shows its table.

use std::sync::Arc;

use ebbtide::proof::{PROOFS, outcome_text};
use ebbtide::tokens::Cl100k;

#[tokio::test]
async fn every_claim_of_every_slice_holds() {
    for proof in PROOFS {
        let outcome =
            proof.run(Arc::new(Cl100k::lazy())).await.expect("the scenario plays to its end");
        assert!(outcome.holds(), "{}", outcome_text(proof, &outcome));
        assert!(!outcome.claims.is_empty() && !outcome.rows.is_empty());
        println!("{}", outcome_text(proof, &outcome));
    }
}
