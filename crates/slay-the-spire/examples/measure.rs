//! Temporary.
use mdp::*; use slay_the_spire::*;
fn main(){ let s=Setup::default(); let t=std::time::Instant::now();
 let f=Fights::new(Objective::Health,&[s.start()]);
 let sp=explore(&f,&ExploreOptions{threads:Some(1),..Default::default()}).unwrap();
 println!("{:?} {:?}",t.elapsed(), sp.model().counts());
}
